// What is decided, as it is decided: a request has one row from its first event to its trace.

const ROWS = 80;
const GOOD = { succeeded: "done", open: "runs", neutral: "ended" };
const rows = []; // the newest first
const byRequest = new Map();
let drawPending = false;
let toldAt = 0;
let untold = [];
let serial = 0;

let heardAt = new Date(); // when what is heard now was told

function heardEvent(type, at, fact) {
  heardAt = at;
  const hear = HEARD[type];
  if (hear) hear(fact);
  else note(spaced(type), [fact.substrate_id, fact.workload].filter(Boolean).join(", "));
}

const HEARD = {
  placed: fact => put(fact.request_id, row => { row.workload = fact.workload; row.to = fact.substrate_id; row.end = "runs"; row.path = row.path || "primary"; if (row.path === "waits") row.path = "primary"; }),
  "fell-back": fact => {
    put(fact.request_id, row => { row.workload = fact.workload; row.to = fact.substrate_id; row.path = overflows.has(fact.substrate_id) ? "overflow" : "fallback"; row.why = `${fact.primary_id}: ${texts(fact.why)}`; });
    announce(`${fact.workload} fell back to ${fact.substrate_id}: ${texts(fact.why)}`);
  },
  queued: fact => put(fact.request_id, row => { row.workload = fact.workload; row.path = "waits"; row.end = `${fact.waiting}/${fact.capacity}`; }),
  refused: fact => {
    put(fact.request_id, row => { row.workload = fact.workload; row.path = "refused"; row.end = spaced(fact.reason); row.why = fact.message; });
    announce(`${fact.workload} refused: ${spaced(fact.reason)}`);
  },
  failed: fact => put(fact.request_id, row => { row.failed = true; row.end = `${spaced(fact.kind)} fault`; row.why = `${fact.substrate_id}: ${lastWord(fact.error)}`; }),
  decision: fact => decided(fact),
  recovered: fact => note("recovered", `${fact.workload} is served by ${fact.substrate_id} again`),
  ejected: fact => note("ejected", `${fact.substrate_id} is out for ${span(fact.window)}: ${fact.rule} ${fact.observed}/${fact.limit}` + (fact.error ? ` (${lastWord(fact.error)})` : "")),
  "trial-started": fact => note("trial", `${fact.substrate_id} is tried with one request`),
  returned: fact => note("returned", `${fact.substrate_id} is back` + (fact.by_operator ? ", by an operator" : "")),
  "lease-overdue": fact => note("overdue", `${fact.workload} runs on ${fact.substrate_id} for ${span(fact.open)} (expected: below ${span(fact.limit)})`),
  reloaded: fact => note("policy", `revision ${fact.revision} is in force`),
  "reload-rejected": fact => note("policy", `a new policy was turned down: ${fact.problems.length} problem${fact.problems.length === 1 ? "" : "s"}`),
  drifted: fact => note("drift", `${fact.workload} on ${fact.substrate_id}: declared ${span(fact.declared)}, observed ${span(fact.observed)}`),
  "status-lost": fact => note("status", `${fact.substrate_id}: none for ${span(fact.age)}` + (fact.error ? ` (${fact.error})` : "")),
  "status-suspect": fact => note("status", `${fact.substrate_id}: ${fact.suspicion}`),
  operated: fact => note("operator", `${fact.caller}: ${fact.operation} ${fact.substrate_id}`),
  lost: fact => note("missed", `${fact.count} events came faster than this page could take them`)
};

const spaced = code => code.replace(/-/g, " ");
const lastWord = name => name.split(".").pop();

function decided(trace) {
  put(trace.request_id, row => {
    const last = trace.attempts[trace.attempts.length - 1];
    row.workload = trace.workload;
    if (trace.refusal) {
      row.path = "refused";
      row.end = spaced(trace.refusal);
      row.why = row.why || against(trace.considered);
    } else if (last) {
      row.path = last.path;
      row.to = last.substrate_id;
      row.failed = last.outcome !== "succeeded" && last.outcome !== "neutral";
      row.end = last.outcome === "succeeded" && last.latency != null ? span(last.latency) : GOOD[last.outcome] || spaced(last.outcome);
      if (last.path !== "primary" && !row.why) row.why = against(last.considered);
    }
  });
}

const against = considered => considered.filter(one => !one.admissible && one.findings.length).map(one => `${one.substrate_id}: ${texts(one.findings)}`).join("; ");

function put(request, change) {
  let row = byRequest.get(request);
  if (!row) {
    row = { key: "r" + serial++, request, at: heardAt, fresh: true };
    byRequest.set(request, row);
    add(row);
  }
  change(row);
  row.dirty = true;
  draw();
}

function note(what, text) {
  add({ key: "n" + serial++, at: heardAt, said: what, text, dirty: true, fresh: true });
  draw();
}

function add(row) {
  rows.unshift(row);
  if (rows.length > ROWS) byRequest.delete(rows.pop().request);
}

function draw() {
  if (drawPending) return;
  drawPending = true;
  requestAnimationFrame(() => {
    drawPending = false;
    $("feed-none").hidden = rows.length > 0;
    keep($("feed"), rows, row => row.key, makeRow, updateRow);
  });
}

function makeRow(row) {
  const item = el("li");
  item.time = el("time", "", clock(row.at));
  item.to = el("span", "to");
  item.end = el("span", "end");
  item.why = el("span", "why");
  item.append(item.time, item.to, item.end, item.why);
  return item;
}

function updateRow(item, row) {
  if (!row.dirty) return;
  row.dirty = false;
  const usual = !row.said && row.path === "primary" && !row.failed;
  item.className = [row.said ? "said" : row.path, row.failed ? "failed" : "", usual ? "usual" : "", row.fresh ? "fresh" : ""].join(" ");
  row.fresh = false;
  say(item.time, clock(row.at));
  attr(item.time, "datetime", row.at.toISOString());
  if (row.said) item.to.replaceChildren(el("b", "", row.said), " " + row.text);
  else item.to.replaceChildren(el("b", "", row.workload), row.to ? " → " + row.to : "", el("span", "path", row.path));
  say(item.end, row.said ? "" : row.end || "");
  item.end.hidden = Boolean(row.said);
  say(item.why, row.why || "");
  item.why.hidden = !row.why;
}

/** Told to screen readers at most every five seconds, the newest of them and how many there were. */
function announce(text) {
  untold.push(text);
  const wait = Math.max(0, toldAt + 5000 - Date.now());
  if (untold.length === 1) setTimeout(() => {
    toldAt = Date.now();
    say($("feed-told"), untold[untold.length - 1] + (untold.length > 1 ? `, and ${untold.length - 1} more` : ""));
    untold = [];
  }, wait);
}

$("feed-odd").onchange = change => $("feed").classList.toggle("odd", change.target.checked);
