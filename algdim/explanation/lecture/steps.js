"use strict";
// The steps: a bar with their numbers, the keys of a presenter, and one step per screen with "?present" behind the address.
{
  const steps = [...document.querySelectorAll(".step")], tools = document.getElementById("tools");
  let presenting = new URLSearchParams(location.search).has("present"), now = 0;

  const number = () => {
    const found = steps.findIndex((step) => `#${step.id}` === location.hash);
    return found < 0 ? 0 : found;
  };
  // What scrolls sideways on a page would be cut on a screen: it is made smaller, too, as long as it can be read.
  const cut = (step) => [...step.querySelectorAll("math[display=block], .wide, pre")].some((one) => one.scrollWidth > one.clientWidth + 1);
  // The largest size at which a step fits the screen.
  function fit() {
    const step = steps[now];
    if (!presenting || !step) return;
    step.style.transform = ""; step.style.width = "";
    let low = 0.2, high = 1.5;
    for (let turn = 0; turn < 9; turn += 1) {
      const size = (low + high) / 2;
      step.style.width = `${innerWidth / size}px`;
      if (step.scrollHeight * size <= innerHeight && step.scrollWidth * size <= innerWidth + 1 && (size < 0.6 || !cut(step))) low = size; else high = size;
    }
    step.style.width = `${innerWidth / low}px`;
    step.style.transform = `scale(${low})`;
    step.dataset.size = low.toFixed(3);
  }
  function show(target, { move = true } = {}) {
    now = Math.max(0, Math.min(steps.length - 1, target));
    steps.forEach((step, place) => step.classList.toggle("now", place === now));
    links.forEach((link, place) => (place === now ? link.setAttribute("aria-current", "step") : link.removeAttribute("aria-current")));
    if (move && steps[now]) {
      history.replaceState(null, "", `#${steps[now].id}`);
      if (!presenting) steps[now].scrollIntoView({ block: "start" });
    }
    fit();
    dispatchEvent(new CustomEvent("step", { detail: steps[now] }));
  }
  function present(on) {
    presenting = on;
    document.body.classList.toggle("present", on);
    toggle.textContent = on ? "Read" : "Present";
    const query = on ? "?present" : "";
    try { history.replaceState(null, "", `${location.pathname}${query}#${steps[now].id}`); } catch { /* some files have no address */ }
    for (const step of steps) { step.style.transform = ""; step.style.width = ""; }
    show(now, { move: false });
    if (!on) steps[now].scrollIntoView({ block: "start" });
  }
  const links = steps.map((step, place) => {
    const link = document.createElement("a");
    link.href = `#${step.id}`; link.textContent = place + 1; link.title = step.querySelector("h2").textContent.replace(/^\d+\s*/, "");
    link.addEventListener("click", (event) => { event.preventDefault(); show(place); });
    tools.append(link);
    return link;
  });
  const toggle = document.createElement("button");
  toggle.type = "button"; toggle.title = "One step per screen: arrows, Page Up and Down, space; b darkens the screen";
  toggle.addEventListener("click", () => present(!presenting));
  tools.append(toggle);
  tools.hidden = false;

  const turns = { ArrowRight: 1, PageDown: 1, " ": 1, n: 1, ArrowLeft: -1, PageUp: -1, p: -1 };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // a field and a list have arrows of their own, a button that was pressed has the space bar only
    const field = event.target.closest?.("input, select, textarea"), pressed = event.target.closest?.("button, summary, a");
    if (field && !(presenting && /^Page/.test(event.key))) return;
    if (pressed && event.key === " ") return;
    if (event.key === "b" && presenting) document.body.classList.toggle("dark-screen");
    else if (event.key === "Escape" && presenting) present(false);
    else if (presenting && event.key === "Home") show(0);
    else if (presenting && event.key === "End") show(steps.length - 1);
    else if (event.key in turns && (presenting || /^[np]$/.test(event.key))) {
      const way = event.shiftKey && event.key === " " ? -1 : turns[event.key];
      show(now + way);
      event.preventDefault();
    }
  });
  addEventListener("hashchange", () => show(number(), { move: false }));
  addEventListener("resize", fit);
  document.addEventListener("toggle", fit, true);
  addEventListener("beforeprint", () => { for (const fold of document.querySelectorAll("details")) fold.open = true; });
  // while reading, the bar follows
  if (!presenting && "IntersectionObserver" in window) {
    const seen = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        if (entry.isIntersecting && !presenting) show(steps.indexOf(entry.target), { move: false });
      }
    }, { rootMargin: "-20% 0px -70% 0px" });
    for (const step of steps) seen.observe(step);
  }
  now = number();
  present(presenting);
  if (!presenting) scrollTo(0, location.hash ? steps[now].offsetTop - 60 : 0);
}
