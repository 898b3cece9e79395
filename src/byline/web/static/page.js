// Conveniences; every page works without this script. It sends requests to no other address.
"use strict";

// Show the progress of a job, and open its result.
const INTERVAL = 700; // milliseconds

async function follow(shown) {
  const path = `/jobs/${shown.dataset.job}`;
  const progress = document.getElementById("progress");
  const bar = shown.querySelector("progress");
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, INTERVAL));
    let state;
    try {
      const answer = await fetch(`${path}/state`, { cache: "no-store" });
      if (!answer.ok) {
        location.reload();
        return;
      }
      state = await answer.json();
    } catch {
      show(progress, "Byline does not answer. If it was stopped, start it again.");
      continue;
    }
    if (state.state !== "waiting" && state.state !== "running") {
      location.replace(`${path}?over`);
      return;
    }
    if (state.total > 0) {
      bar.max = state.total;
      bar.value = Math.max(0, state.done - Number(shown.dataset.started));
    }
    show(progress, state.progress);
  }
}

// A screen reader speaks every change, so unchanged text is not written again.
function show(place, sentence) {
  if (place.textContent !== sentence) place.textContent = sentence;
}

// Files: list the chosen ones, check their size, and accept files dropped on the page.
function size(bytes) {
  return bytes < 1e5 ? `${Math.max(1, Math.round(bytes / 1e3))} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

function describe(input, max) {
  const files = [...input.files];
  const total = files.reduce((sum, file) => sum + file.size, 0);
  const names = files.slice(0, 5).map((file) => file.webkitRelativePath || file.name).join(", ");
  const more = files.length > 5 ? ` and ${files.length - 5} more` : "";
  const tooLarge = total > max;
  const limit = tooLarge ? `: more than the ${size(max)} that the page accepts at once` : "";
  input.setCustomValidity(tooLarge ? `The size is ${size(total)}${limit}.` : "");
  const [chosen, remove] = input.parentElement.querySelectorAll(".chosen, .clear");
  show(chosen, files.length ? `${names}${more}, ${size(total)}${limit}` : "");
  remove.hidden = files.length === 0;
}

function watchFiles(form) {
  const max = Number(form.dataset.maxBytes);
  for (const input of form.querySelectorAll("input[type=file]")) {
    input.addEventListener("change", () => describe(input, max));
    input.parentElement.querySelector(".clear").addEventListener("click", () => {
      input.value = "";
      input.dispatchEvent(new Event("change", { bubbles: true }));
      input.focus();
    });
    describe(input, max); // the browser may have returned to a filled-in form
  }
}

// A question concerns a pasted text or files.
function askOneAtATime(form) {
  const text = form.querySelector("textarea");
  const file = form.querySelector("input[type=file]");
  const check = () => {
    const both = text.value.trim() !== "" && file.files.length > 0;
    text.setCustomValidity(both ? "There are both a text and a file: send one at a time." : "");
  };
  form.addEventListener("input", check);
  form.addEventListener("change", check);
  check();
}

function acceptDrops(form) {
  const input = form.querySelector("input[type=file]");
  const hasFiles = (event) => event.dataTransfer.types.includes("Files");
  document.addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    form.classList.add("dropping");
  });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) form.classList.remove("dropping");
  });
  document.addEventListener("drop", async (event) => {
    form.classList.remove("dropping");
    if (!hasFiles(event)) return;
    event.preventDefault();
    const files = await dropped(event.dataTransfer);
    const accepted = new DataTransfer();
    for (const file of input.multiple ? files : files.slice(0, 1)) accepted.items.add(file);
    input.files = accepted.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
    input.focus();
  });
}

// The dropped files, including those in dropped folders.
async function dropped(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (entries.length === 0) return [...transfer.files];
  return (await Promise.all(entries.map(filesOf))).flat();
}

async function filesOf(entry) {
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    return [new File([file], entry.fullPath.slice(1))]; // named with its folders, like a file of a chosen folder
  }
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    const batch = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (batch.length === 0) break; // a folder is read in batches
    found.push(...batch);
  }
  return (await Promise.all(found.map(filesOf))).flat();
}

// Move the focus to a result that the person has waited for.
if (location.search === "?over") document.querySelector("h1").focus();
const job = document.getElementById("job");
if (job) follow(job);
for (const form of document.querySelectorAll("form[data-max-bytes]")) {
  watchFiles(form);
  acceptDrops(form);
  if (form.matches(".ask")) askOneAtATime(form);
}
