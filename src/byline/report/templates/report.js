/* Sort and save tables, show the values of figures with the keyboard, and enlarge maps. Nothing is
   hidden without this script. It writes texts only as texts, never as HTML. */
(() => {
  "use strict";
  const make = (name, properties, text) => {
    const element = Object.assign(document.createElement(name), properties);
    element.textContent = text;
    return element;
  };
  const said = make("p", { className: "unseen" }, "");
  said.setAttribute("role", "status");
  document.body.append(said);

  /* Tables. */
  const words = cell => cell.textContent.replace(/[\u2066-\u2069]/g, "").replace(/\s+/g, " ").trim();
  const plain = text => text.replace(/\u2212/g, "-").replace(/[\u202f\u00a0]/g, " ");
  const value = cell => {
    const found = plain(words(cell)).match(/^[<>]? ?([+-]?[\d,]*\.?\d+)/);
    return found ? Number(found[1].replace(/,/g, "")) : NaN;
  };
  const compare = place => (a, b) => {
    const [x, y] = [value(a.cells[place]), value(b.cells[place])];
    if (Number.isNaN(x) !== Number.isNaN(y)) return Number.isNaN(x) ? 1 : -1;
    return Number.isNaN(x) ? words(a.cells[place]).localeCompare(words(b.cells[place])) : x - y;
  };
  const sortable = table => {
    const rows = [...table.tBodies].flatMap(body => [...body.rows]);
    const heads = table.tHead && table.tHead.rows.length === 1 ? [...table.tHead.rows[0].cells] : [];
    return table.tBodies.length === 1 && rows.length > 2 && heads.length
      && rows.every(row => row.cells.length === heads.length)
      && !table.querySelector("[colspan], [rowspan]") ? heads : [];
  };
  const sort = (table, head, place) => {
    const body = table.tBodies[0], descending = head.getAttribute("aria-sort") === "ascending";
    const rows = [...body.rows].sort(compare(place));
    body.append(...(descending ? rows.reverse() : rows));
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", descending ? "descending" : "ascending");
  };
  for (const table of document.querySelectorAll("table")) {
    sortable(table).forEach((head, place) => {
      if (!words(head)) return;
      const button = make("button", { type: "button", className: "sort" }, "");
      button.append(...head.childNodes);
      button.addEventListener("click", () => sort(table, head, place));
      head.append(button);
    });
  }

  /* A cell that a spreadsheet would evaluate as a formula is saved with an apostrophe before it. */
  const quoted = cell => {
    let text = plain(words(cell));
    if (/^[=@+\t\r-]/.test(text) && !/^[+-]?[\d.,]+( ?%)?$/.test(text)) text = `'${text}`;
    return /[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
  };
  const csv = table => [...table.rows].map(row =>
    [...row.cells].filter(cell => cell.getAttribute("aria-hidden") !== "true" &&
      !(cell.tagName === "TD" && row.parentElement === table.tHead)).map(quoted).join(",")).join("\r\n");
  for (const table of document.querySelectorAll("table")) {
    if (table.rows.length < 3) continue;
    const link = make("a", { className: "save", href: "#", download: "table.csv" }, "Save as CSV");
    const heading = table.caption ? words(table.caption) : document.title;
    const name = heading.slice(0, 40).replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
    link.download = `${name.toLowerCase() || "table"}.csv`;
    link.addEventListener("click", () => {
      const file = new Blob(["\ufeff", csv(table), "\r\n"], { type: "text/csv;charset=utf-8" });
      link.href = URL.createObjectURL(file);
      setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    });
    (table.closest(".scroll") || table).after(link);
  }

  /* Figures: the arrow keys go from value to value, and a tap shows a value. */
  const tip = make("div", { className: "tip", hidden: true }, "");
  document.body.append(tip);
  for (const figure of document.querySelectorAll("svg.chart")) {
    const marks = [...figure.querySelectorAll("title")].map(title => title.parentElement)
      .filter(mark => mark !== figure && mark.tagName !== "text");
    if (!marks.length) continue;
    let place = -1;
    figure.tabIndex = 0;
    figure.setAttribute("aria-keyshortcuts", "ArrowRight ArrowLeft Escape");
    const leave = () => {
      if (place >= 0) marks[place].classList.remove("chosen");
      tip.hidden = true;
      place = -1;
    };
    const show = next => {
      leave();
      place = (next + marks.length) % marks.length;
      const mark = marks[place];
      figure.dispatchEvent(new CustomEvent("chosen", { detail: mark }));
      mark.classList.add("chosen");
      said.textContent = tip.textContent = mark.querySelector("title").textContent;
      tip.hidden = false;
      const box = mark.getBoundingClientRect(), frame = figure.getBoundingClientRect();
      const width = document.documentElement.clientWidth - tip.offsetWidth - 4;
      const top = Math.min(box.bottom, frame.bottom) + 6;
      tip.style.left = `${Math.max(4, Math.min(box.right + 6, width)) + window.scrollX}px`;
      tip.style.top = `${top + window.scrollY}px`;
    };
    figure.addEventListener("keydown", event => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (event.key === "Escape") leave();
      if (!step) return;
      event.preventDefault();
      show(place < 0 && step < 0 ? -1 : place + step);
    });
    figure.addEventListener("click", event => {
      const tapped = marks.findIndex(mark => mark.contains(event.target));
      if (tapped < 0) leave(); else show(tapped);
    });
    figure.addEventListener("blur", leave);
  }

  /* Maps: a part of the map can fill the figure. */
  const zoomed = map => {
    const [left, top, width, height] = map.getAttribute("viewBox").split(" ").map(Number);
    let zoom = 1, x = left + width / 2, y = top + height / 2, from = null;
    const draw = () => {
      const [w, h] = [width / zoom, height / zoom];
      x = Math.min(Math.max(x, left + w / 2), left + width - w / 2);
      y = Math.min(Math.max(y, top + h / 2), top + height - h / 2);
      map.setAttribute("viewBox", `${x - w / 2} ${y - h / 2} ${w} ${h}`);
      map.style.touchAction = zoom > 1 ? "none" : "";
    };
    const unit = () => width / zoom / map.getBoundingClientRect().width;
    map.addEventListener("pointerdown", event => {
      if (zoom > 1) [from, map.style.cursor] = [event, "grabbing"];
    });
    map.addEventListener("pointermove", event => {
      if (!from) return;
      [x, y] = [x - (event.clientX - from.clientX) * unit(), y - (event.clientY - from.clientY) * unit()];
      from = event;
      draw();
    });
    map.addEventListener("chosen", event => {
      if (zoom === 1 || from) return;
      const box = event.detail.getBoundingClientRect(), frame = map.getBoundingClientRect();
      x += ((box.left + box.right) / 2 - (frame.left + frame.right) / 2) * unit();
      y += ((box.top + box.bottom) / 2 - (frame.top + frame.bottom) / 2) * unit();
      draw();
    });
    window.addEventListener("pointerup", () => [from, map.style.cursor] = [null, ""]);
    return factor => {
      zoom = Math.min(Math.max(zoom * factor, 1), 16);
      draw();
    };
  };
  const figures = new Map();
  for (const map of document.querySelectorAll("svg.map")) {
    const figure = map.closest("figure") || map;
    figures.set(figure, [...(figures.get(figure) || []), map]);
  }
  for (const maps of figures.values()) {
    const enlarge = maps.map(zoomed), buttons = make("p", { className: "zoom" }, "");
    for (const [name, factor] of [["Enlarge", 1.5], ["Reduce", 1 / 1.5], ["Whole map", 0]]) {
      const button = make("button", { type: "button" }, name);
      button.addEventListener("click", () => enlarge.forEach(one => one(factor)));
      buttons.append(button);
    }
    maps[0].before(buttons);
  }
})();
