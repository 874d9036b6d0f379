// Keeps the page as the gateway is: events at once, the rest asked for again after them and every two seconds.

const EVERY = 2000;
const SELDOM = 15000;
const LOST = "connection lost, retrying";
const OLD = 10; // seconds: the gateway was asked several times since
let lastUpdate = 0;
let lastId = "0"; // the first time all that the gateway still holds
let state = "wait";
let trouble = LOST; // why it is lost, in the gateway's words where it has any
let streamLost = false;
let busy = false;
let again = false;
let seldomAt = 0;
let refreshTimer = 0;
let failures = 0;

async function refresh() {
  if (state === "login") return;
  if (busy) {
    again = true;
    return;
  }
  busy = true;
  again = false;
  try {
    const [pool, routes, queues] = await Promise.all([read("/admin/pool"), read("/admin/routes"), read("/admin/queue")]);
    showPool(pool);
    showRoutes(routes);
    showQueues(queues);
    if (Date.now() >= seldomAt) {
      const [policy, history] = await Promise.all([read("/admin/policy"), read("/admin/history")]);
      seldomAt = Date.now() + SELDOM;
      showPolicy(policy);
      $("main").hidden = false;
      showHistory(history);
    }
    updated();
  } catch (failure) {
    failed(failure);
  } finally {
    busy = false;
    if (again) soon();
  }
}

/** After an event: soon, and not for each of many. */
function soon() {
  if (!refreshTimer) refreshTimer = setTimeout(() => {
    refreshTimer = 0;
    refresh();
  }, 200);
}

function updated() {
  lastUpdate = Date.now();
  $("login").hidden = true;
  if (!streamLost) become("live", "connected");
}

function failed(failure) {
  if (failure.status === 401 || failure.status === 403 && failure.token) return login(failure);
  become("lost", failure.status ? failure.message : LOST);
}

function login(failure) {
  if (failure.token !== sessionStorage.getItem(KEY)) return; // another one was given meanwhile
  if (failure.token) say($("login-why"), failure.message);
  sessionStorage.removeItem(KEY);
  if ($("login").hidden) {
    $("login").hidden = false;
    $("main").hidden = true;
    $("token").focus();
  }
  become("login", "not signed in");
}

function become(next, told) {
  say($("connection-told"), told);
  state = next;
  if (next === "lost") trouble = told;
  tick();
}

function tick() {
  const ago = lastUpdate ? Math.round((Date.now() - lastUpdate) / 1000) : null;
  if (state === "live" && ago > OLD && !document.hidden) return become("lost", LOST); // hidden pages are seldom let run
  const since = ago == null ? "" : ago < 1 ? "last update now" : `last update ${ago} s ago`;
  attr($("connection"), "data-state", state);
  say($("connection-text"), {
    live: since, wait: "connecting…", login: "not signed in", lost: trouble + (since ? " · " + since : "")
  }[state]);
}

/** Hears until it is cut off, then again from the last event on: after one second, after two, at the most after fifteen. */
async function hear() {
  for (;;) {
    if (state === "login") await new Promise(resolve => $("login").addEventListener("submit", resolve, { once: true }));
    try {
      await listen(lastId, heard, () => {
        failures = 0;
        streamLost = false;
      });
      unheard({});
    } catch (failure) {
      unheard(failure);
    }
    const wait = Math.min(15000, 1000 * 2 ** failures++);
    await new Promise(resolve => setTimeout(resolve, wait));
  }
}

function unheard(failure) {
  streamLost = true;
  failed(failure);
}

function heard(id, type, at, fact) {
  if (id) lastId = id;
  heardEvent(type, at, fact);
  if (type === "reloaded" || type === "reload-rejected") seldomAt = 0;
  soon();
}

$("login").onsubmit = submitted => {
  submitted.preventDefault();
  sessionStorage.setItem(KEY, $("token").value.trim());
  $("token").value = "";
  seldomAt = 0;
  streamLost = false;
  state = "wait";
  refresh();
};
setInterval(refresh, EVERY);
setInterval(tick, 1000);
refresh();
hear();
