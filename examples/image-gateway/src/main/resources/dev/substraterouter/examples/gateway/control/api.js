// The one way to the gateway: the token goes in a header, and is kept for this tab only.

const KEY = "substrate-router-token";
const SILENCE = 25000;
const PATIENCE = 8000;

class Refused extends Error {
  constructor(status, token, detail) {
    super(detail);
    this.status = status;
    this.token = token;
  }
}

async function ask(path, options = {}) {
  const token = sessionStorage.getItem(KEY);
  const headers = { ...options.headers };
  if (token) headers.Authorization = "Bearer " + token;
  const signal = options.signal || AbortSignal.timeout(PATIENCE);
  const answer = await fetch(path, { ...options, headers, signal, cache: "no-store", credentials: "omit", redirect: "error" });
  if (!answer.ok) {
    const problem = await answer.json().catch(() => ({}));
    throw new Refused(answer.status, token, problem.detail || "the gateway answered " + answer.status);
  }
  return answer;
}

const read = path => ask(path).then(answer => answer.json());
const order = (id, verb) => ask(`/admin/substrates/${encodeURIComponent(id)}/${verb}`, { method: "POST" }).then(answer => answer.json());

/** Reads server-sent events until the stream ends; one that is silent for longer than its heartbeat is cut off. */
async function listen(lastId, heard, alive) {
  const cut = new AbortController();
  let watch = 0;
  const listening = () => {
    clearTimeout(watch);
    watch = setTimeout(() => cut.abort(), SILENCE);
  };
  const living = () => {
    listening();
    alive();
  };
  listening(); // the head may not come either
  try {
    const answer = await ask("/admin/events", { headers: { "Last-Event-ID": lastId }, signal: cut.signal });
    const chunks = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    living();
    for (let next = await chunks.read(); !next.done; next = await chunks.read()) {
      living();
      const events = (rest + next.value).split("\n\n");
      rest = events.pop();
      events.forEach(text => event(text, heard));
    }
  } finally {
    clearTimeout(watch);
  }
}

function event(text, heard) {
  const found = { id: "", event: "", data: "" };
  for (const line of text.split("\n")) {
    const at = line.indexOf(": ");
    if (at > 0) found[line.slice(0, at)] = line.slice(at + 2);
  }
  if (!found.event) return;
  const { at, fact } = JSON.parse(found.data);
  heard(found.id, found.event, new Date(at), fact);
}
