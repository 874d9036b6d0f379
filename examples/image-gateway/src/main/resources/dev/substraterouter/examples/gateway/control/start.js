"use strict";
// Everything that the router says is put in as text, never as markup.

const $ = id => document.getElementById(id);

function el(tag, className, ...children) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  node.append(...children.filter(child => child != null));
  return node;
}

function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

function attr(node, name, value) {
  if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

function drawn(path, width, height) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}

/** Keeps one child per key in the order given; what stays is not touched, so that the focus stays too. */
function keep(parent, items, key, make, update) {
  const known = parent.kept || (parent.kept = new Map());
  const wanted = new Set(items.map(key));
  for (const [id, child] of known) {
    if (!wanted.has(id)) {
      child.remove();
      known.delete(id);
    }
  }
  items.forEach((item, at) => {
    const id = key(item);
    let child = known.get(id);
    if (!child) known.set(id, child = make(item));
    if (parent.children[at] !== child) parent.insertBefore(child, parent.children[at] || null);
    update(child, item);
  });
}

function number(value, digits = 1) {
  return value == null ? "?" : String(+value.toFixed(digits));
}

function span(seconds) {
  if (seconds == null) return "?";
  if (seconds < 0.0995) return Math.round(seconds * 1000) + " ms";
  if (seconds < 10) return seconds.toFixed(1) + " s";
  if (seconds < 100) return Math.round(seconds) + " s";
  if (seconds < 5400) return Math.round(seconds / 60) + " min";
  return Math.round(seconds / 3600) + " h";
}

function clock(date) {
  return date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
}

const texts = findings => findings.map(finding => finding.text).join(", ");

let toastTimer = 0;
function toast(text) {
  $("toast").hidden = false;
  say($("toast"), text);
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { $("toast").hidden = true; }, 6000);
}
