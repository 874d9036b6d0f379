// The pool as cards.

const WORDS = { "no-status": "no status", unwatched: "not watched" };
const SIGNS = {
  healthy: "M2 6.5l3 3 5-6.5", full: "M3 3h6v6H3z", unhealthy: "M6 2v5M6 10v.1", "no-status": "M4 4.2a2 2 0 1 1 2.6 2c-.5.2-.6.6-.6 1M6 10v.1",
  ejected: "M3 3l6 6M9 3l-6 6", cordoned: "M4.3 2.5v7M7.7 2.5v7", unwatched: "M3 6h6"
};
const ACTS = {
  cordon: { right: "cordon", word: "Cordon", hint: "take it out: nothing new is placed there" },
  uncordon: { right: "cordon", word: "Uncordon", hint: "put it back" },
  drain: { right: "drain", word: "Drain", hint: "take it out and wait until its leases are gone" },
  reset: { right: "reset", word: "Reset", hint: "end an ejection and forget its faults" }
};
let may = [];
let caller = "";
let overflows = new Set();

function showPool(pool) {
  may = pool.may;
  caller = pool.caller;
  overflows = new Set(pool.substrates.filter(one => one.overflow).map(one => one.id));
  const open = pool.substrates.filter(one => ["healthy", "unwatched"].includes(one.state)).length;
  say($("summary"), `${open} of ${pool.substrates.length} substrates take work now · policy revision ${pool.revision} · you are ${caller}`);
  const lacking = ["cordon", "drain", "reset"].filter(right => !may.includes(right));
  say($("rights"), lacking.length ? `${caller} may not ${lacking.join(", ")}: no role of the policy says so` : "");
  keep($("cards"), pool.substrates, one => one.id, makeCard, updateCard);
}

function makeCard(one) {
  const card = el("article", "card");
  const part = card.parts = {};
  part.title = el("h3", "", one.id);
  part.title.id = "card-" + one.id;
  attr(card, "aria-labelledby", part.title.id);
  part.sign = el("i");
  part.word = el("span");
  part.state = el("span", "state", part.sign, part.word);
  part.what = el("p", "what");
  part.reasons = el("ul", "reasons");
  part.meters = el("div", "meters");
  part.load = meter(part.meters, "load");
  part.heat = meter(part.meters, "heat");
  part.vram = meter(part.meters, "VRAM");
  part.facts = el("dl", "facts");
  part.acts = el("div", "acts");
  part.out = button(one.id, "cordon");
  part.drain = button(one.id, "drain");
  part.reset = button(one.id, "reset");
  part.acts.append(part.out, part.drain, part.reset);
  card.append(el("div", "top", part.title, part.state), part.what, part.reasons, part.meters, part.facts, part.acts);
  return card;
}

function meter(into, name) {
  const fill = el("div", "fill");
  const bar = el("div", "bar", fill);
  attr(bar, "role", "meter");
  attr(bar, "aria-label", name);
  attr(bar, "aria-valuemin", 0);
  const value = el("span", "value");
  into.append(el("span", "name", name), bar, value);
  return { bar, fill, value };
}

/** A limit is a mark on the bar. Whether it is too much is for the router to say: it leaves its own work's share of the load aside. */
function setMeter(one, value, most, text, limit, over) {
  const known = value != null && most > 0;
  say(one.value, text);
  attr(one.bar, "aria-valuemax", most || 0);
  attr(one.bar, "aria-valuenow", known ? value : 0);
  attr(one.bar, "aria-valuetext", text + (limit == null ? "" : `, limit ${number(limit)}`));
  attr(one.bar, "data-over", Boolean(over));
  one.fill.style.width = (known ? Math.min(100, 100 * value / most) : 0) + "%";
  if (limit != null && limit < most) {
    one.limit = one.limit || one.bar.appendChild(el("div", "limit"));
    one.limit.style.left = (100 * limit / most) + "%";
  }
}

function updateCard(card, one) {
  const part = card.parts;
  if (part.state.dataset.state !== one.state) {
    part.state.dataset.state = one.state;
    part.sign.replaceChildren(drawn(SIGNS[one.state] || "", 12, 12));
    say(part.word, WORDS[one.state] || one.state);
  }
  say(part.what, [one.hardware, one.kind, one.overflow ? "overflow" : null].filter(Boolean).join(" · "));
  const against = one.reasons.map(reason => reason.text).concat(one.suspicions);
  keep(part.reasons, against.map((text, at) => ({ text, at })), item => item.at, () => el("li"), (line, item) => say(line, item.text));
  part.reasons.hidden = against.length === 0;
  updateMeters(part, one, one.status || {});
  keep(part.facts, facts(one), fact => fact[0], makeFact, (fact, [, value]) => say(fact.lastChild, value));
  setAct(part.out, one.cordoned ? "uncordon" : "cordon");
  setAct(part.drain, "drain");
  setAct(part.reset, "reset");
}

function updateMeters(part, one, status) {
  const has = code => one.reasons.some(reason => reason.reason === code);
  setMeter(part.load, status.gpu_util_pct, 100, status.gpu_util_pct == null ? "unknown" : `${number(status.gpu_util_pct, 0)} %`, one.max_gpu_util_pct, has("gpu-util"));
  setMeter(part.heat, status.gpu_temp_c, 100, status.gpu_temp_c == null ? "unknown" : `${number(status.gpu_temp_c, 0)} °C`, one.max_gpu_temp_c, has("gpu-temp"));
  const total = status.vram_total_gb ?? one.vram_gb;
  const vram = status.vram_used_gb == null ? (total == null ? "unknown" : `? / ${number(total)} GiB`) : `${number(status.vram_used_gb)} / ${number(total)} GiB`;
  setMeter(part.vram, status.vram_used_gb, total, vram, null, has("vram") || has("no-single-gpu"));
  part.meters.hidden = one.state === "unwatched";
  part.meters.classList.toggle("old", one.state === "no-status");
}

function facts(one) {
  const all = [["leases", one.max_concurrent_jobs == null ? String(one.leases) : `${one.leases}/${one.max_concurrent_jobs}`]];
  if (one.status && one.status.running_jobs != null) all.push(["jobs", `${one.status.running_jobs}` + (one.status.queued_jobs ? ` + ${one.status.queued_jobs} queued` : "")]);
  if (one.status) all.push(["status", span(one.status_age_seconds) + " old"]);
  else if (one.state !== "unwatched") all.push(["status", "none yet"]);
  if (!one.status && one.vram_gb != null) all.push(["VRAM", `${number(one.vram_gb)} GiB`]);
  if (one.availability != null) all.push(["available", number(100 * one.availability) + " %"]);
  if (one.ejected_until) all.push(["out until", clock(new Date(one.ejected_until))]);
  if (one.last_error) all.push(["last error", one.last_error.split(".").pop()]);
  return all;
}

function makeFact([name]) {
  return el("div", name === "last error" || name === "out until" ? "alarm" : "", el("dt", "", name), el("dd"));
}

function button(id, verb) {
  const node = el("button");
  node.type = "button";
  node.onclick = () => act(node, id, node.dataset.verb);
  attr(node, "aria-describedby", "card-" + id);
  setAct(node, verb);
  return node;
}

function setAct(node, verb) {
  const allowed = may.includes(ACTS[verb].right);
  node.dataset.verb = verb;
  say(node, ACTS[verb].word);
  attr(node, "aria-disabled", !allowed);
  attr(node, "title", allowed ? ACTS[verb].hint : notAllowed(verb));
}

const notAllowed = verb => `${caller} may not ${ACTS[verb].right}: no role of the policy says so`;

async function act(node, id, verb) {
  if (node.getAttribute("aria-disabled") === "true") return toast(notAllowed(verb));
  if (verb === "drain" && !await confirmed(`Drain ${id}?`, "Nothing new is placed there. What runs there goes on to its end. Only Uncordon puts it back.", "Drain it")) return;
  attr(node, "aria-busy", true);
  try {
    const done = await order(id, verb);
    toast(verb === "drain" ? `${id} drains: ${done.leases} leases are open` : `${id}: ${verb} is done`);
  } catch (failure) {
    toast(`${id}: ${failure.message}`);
  } finally {
    node.removeAttribute("aria-busy");
    refresh();
  }
}

function confirmed(title, text, yes) {
  say($("confirm-title"), title);
  say($("confirm-text"), text);
  say($("confirm-yes"), yes);
  const dialog = $("confirm");
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise(resolve => {
    $("confirm-yes").onclick = () => dialog.close("yes");
    $("confirm-no").onclick = () => dialog.close("");
    dialog.onclose = () => resolve(dialog.returnValue === "yes");
  });
}
