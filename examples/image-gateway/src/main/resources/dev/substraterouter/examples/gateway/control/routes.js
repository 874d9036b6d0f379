// Who serves what and why, who waits, and the policy that says so.

function showRoutes(all) {
  keep($("routes"), all.routes, one => one.workload, makeRoute, updateRoute);
}

function makeRoute(one) {
  const row = el("li");
  row.tag = el("span", "tag");
  row.chain = el("span", "chain");
  row.now = el("p", "now");
  row.append(el("div", "route", el("h3", "", one.workload), row.tag, row.chain), row.now);
  return row;
}

function updateRoute(row, one) {
  const ids = one.candidates.map(candidate => candidate.substrate);
  const serving = one.serving_now;
  const at = ids.indexOf(serving);
  const shape = JSON.stringify([ids, serving, one.candidates.map(candidate => candidate.reasons.map(reason => reason.reason))]);
  if (row.shape !== shape) {
    if (row.serving !== undefined && row.serving !== serving) changed(row);
    row.shape = shape;
    row.serving = serving;
    row.chain.replaceChildren(...chain(one, at));
  }
  say(row.tag, one.mechanism);
  row.now.className = "now" + (serving == null ? " nobody" : at > 0 ? " otherwise" : "");
  row.now.replaceChildren(...now(one, at));
}

function chain(one, at) {
  return one.candidates.flatMap((candidate, index) => {
    const serves = index === at;
    const passed = !serves && (at < 0 || index < at);
    const stop = el("span", "stop" + (serves ? " serves" + (index > 0 ? " other" : "") : passed ? " out" : ""), candidate.substrate);
    const unseen = serves ? el("span", "unseen", " serves it now") : passed ? el("span", "unseen", " not now") : null;
    if (unseen) stop.append(unseen);
    return index === 0 ? [stop] : [el("span", "arrow", "→"), stop];
  });
}

function now(one, at) {
  const passed = one.candidates.slice(0, at < 0 ? one.candidates.length : at)
    .filter(candidate => candidate.reasons.length)
    .map(candidate => `${candidate.substrate}: ${texts(candidate.reasons)}`)
    .join("; ");
  if (one.serving_now == null) return [el("b", "", "nobody now"), passed ? " — " + passed : ""];
  const candidate = one.candidates[at] || { reasons: [] };
  const known = [candidate.model, texts(candidate.reasons)].filter(Boolean).join(", ");
  const who = el("b", "", one.serving_now);
  if (at > 0 && passed) return [who, " because " + passed];
  if (at === 0) return [who, ", its " + (one.mechanism === "pin" ? "pin" : one.mechanism === "need" ? "best match" : "primary") + (known ? ": " + known : "")];
  return [who, known ? ": " + known : ""];
}

function changed(row) {
  row.classList.remove("changed");
  void row.offsetWidth; // so that it glows again
  row.classList.add("changed");
}

function showQueues(all) {
  const kinds = Object.entries(all.waiting).filter(([, waiting]) => waiting > 0);
  say($("queue-sum"), kinds.map(([priority, waiting]) => `${waiting} ${priority}`).join(", "));
  keep($("queues"), all.queues, one => one.workload, () => {
    const row = el("li");
    row.who = el("span", "who");
    row.count = el("span");
    const fill = el("div", "fill");
    row.bar = { bar: el("div", "bar", fill), fill, value: row.count };
    attr(row.bar.bar, "role", "meter");
    attr(row.bar.bar, "aria-valuemin", 0);
    row.append(row.who, row.count, row.bar.bar);
    return row;
  }, (row, one) => {
    const name = one.workload ?? (one.workloads.join(", ") || "all that name no workload");
    say(row.who, name);
    attr(row.bar.bar, "aria-label", "waiting for " + name);
    setMeter(row.bar, one.waiting, one.capacity, `${one.waiting} of ${one.capacity} places`, one.capacity, one.waiting >= one.capacity && one.capacity > 0);
  });
}

function showPolicy(policy) {
  say($("policy-revision"), "revision " + policy.revision);
  say($("policy-file"), policy.file);
  say($("policy-yaml"), policy.yaml);
  $("policy-good").hidden = policy.rejected.length > 0;
  $("policy-bad").hidden = policy.rejected.length === 0;
  const problems = policy.rejected.map((problem, at) => ({ problem, at }));
  keep($("policy-problems"), problems, item => item.at, () => el("li"), (line, { problem }) =>
    say(line, (problem.line > 0 ? `line ${problem.line}, column ${problem.column}: ` : "") + (problem.path ? problem.path + ": " : "") + problem.message));
}
