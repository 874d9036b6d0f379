// The last hour: charts for the eye, a table for everybody.

const PATHS = ["primary", "fallback", "overflow", "batch"];
const DASHES = { primary: [], fallback: [7, 4], overflow: [2, 4], batch: [9, 3, 2, 3] };
let hour = null;
let charts = [];

function showHistory(history) {
  hour = history;
  const all = history.all;
  const placed = PATHS.reduce((sum, path) => sum + all.paths[path].count, 0);
  const none = placed === 0 && all.refused === 0;
  $("hour-none").hidden = !none;
  $("charts").hidden = none;
  say($("hour-sum"), none ? "" : `${placed} placed, ${all.refused} refused` + (all.fallback_share == null ? "" : `, ${percent(all.fallback_share)} not on the primary`));
  showTable(history);
  showLegend(all);
  if (none) return;
  const data = [shares(history), latencies(history)];
  if (charts.length) charts.forEach((chart, at) => chart.setData(data[at]));
  else drawCharts(data);
}

const percent = share => number(100 * share) + " %";
const times = history => history.minutes.map(minute => Date.parse(minute.at) / 1000);
const shares = history => [times(history), history.minutes.map(minute => minute.fallback_share == null ? null : 100 * minute.fallback_share)];
const latencies = history => [times(history), ...PATHS.map(path => history.minutes.map(minute => minute.paths[path].p95_seconds))];

function drawCharts(data) {
  charts.forEach(chart => chart.destroy());
  const color = name => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
  const line = (label, stroke, dash, fill) => ({ label, stroke, dash, fill, width: 1.75, points: { show: true, size: 5, fill: stroke, stroke } });
  const paths = PATHS.map(path => line(path, color(path), DASHES[path]));
  charts = [
    chart($("share-chart"), data[0], 110, [{}, line("share", color("fallback"), [], color("warnbg"))], [0, 100], color),
    chart($("latency-chart"), data[1], 150, [{}, ...paths], null, color)
  ];
}

function chart(into, data, height, series, range, color) {
  const axis = { stroke: color("soft"), font: "11px system-ui", grid: { stroke: color("line"), width: 1 }, ticks: { show: false } };
  return new uPlot({
    width: into.clientWidth, height, series,
    legend: { show: false },
    cursor: { y: false, points: { size: 7 }, drag: { setScale: false } },
    padding: [6, 16, 0, 0],
    scales: { x: { time: true }, y: { range: range || ((plot, low, high) => [0, high > 0 ? high * 1.1 : 1]) } },
    axes: [
      { ...axis, grid: { show: false }, space: 70, size: 24, values: (plot, ticks) => ticks.map(at => clock(new Date(at * 1000)).slice(0, 5)) },
      { ...axis, size: 44, space: 28, values: (plot, ticks) => ticks.map(tick => String(+tick.toPrecision(3))) }
    ]
  }, data, into);
}

function showLegend(all) {
  const served = PATHS.filter(path => all.paths[path].count > 0);
  keep($("latency-legend"), served, path => path, path => {
    const sample = drawn("M1 5h26", 28, 10);
    sample.setAttribute("width", 28);
    sample.setAttribute("height", 10);
    sample.style.fill = "none";
    sample.style.stroke = `var(--${path})`;
    sample.style.strokeWidth = 2.5;
    sample.style.strokeDasharray = DASHES[path].join(" ");
    const value = el("span");
    const item = el("li", "", sample, el("b", "", path), value);
    item.figures = value;
    return item;
  }, (item, path) => {
    const one = all.paths[path];
    say(item.figures, `${one.count} requests, half within ${span(one.p50_seconds)}, 95 % within ${span(one.p95_seconds)}` + (one.failed ? `, ${one.failed} failed` : ""));
  });
}

function showTable(history) {
  const lines = [];
  for (const minute of [...history.minutes].reverse()) {
    for (const path of PATHS) {
      if (minute.paths[path].count) lines.push([clock(new Date(minute.at)).slice(0, 5), path, minute.paths[path], minute]);
    }
    if (minute.refused && PATHS.every(path => !minute.paths[path].count)) lines.push([clock(new Date(minute.at)).slice(0, 5), "–", null, minute]);
  }
  $("hour-rows").replaceChildren(...lines.map(([at, path, one, minute]) => el("tr", "", ...[
    at, path, one ? one.count : 0, one ? one.failed : 0, one && one.p50_seconds != null ? number(one.p50_seconds, 3) : "–",
    one && one.p95_seconds != null ? number(one.p95_seconds, 3) : "–", minute.refused, minute.fallback_share == null ? "–" : percent(minute.fallback_share)
  ].map(value => el("td", "", String(value))))));
}

function redrawCharts() {
  if (hour && charts.length) drawCharts([shares(hour), latencies(hour)]);
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redrawCharts);
new ResizeObserver(() => charts.forEach(chart => {
  const width = chart.root.parentNode.clientWidth;
  if (width > 0 && width !== chart.width) chart.setSize({ width, height: chart.height });
})).observe($("charts"));
