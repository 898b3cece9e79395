// What makes the page pleasanter; all of it works without. Nothing here speaks to any other address.
"use strict";

// How far a job is, and on to its result.
const LOOK_AGAIN = 700; // milliseconds

async function follow(shown) {
  const path = `/jobs/${shown.dataset.job}`;
  const says = document.getElementById("says");
  const bar = shown.querySelector("progress");
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN));
    let state;
    try {
      const answer = await fetch(`${path}/state`, { cache: "no-store" });
      if (!answer.ok) {
        location.reload();
        return;
      }
      state = await answer.json();
    } catch {
      tell(says, "Byline does not answer. If it was stopped, start it again.");
      continue;
    }
    if (state.state !== "waiting" && state.state !== "running") {
      location.replace(`${path}?over`);
      return;
    }
    if (state.total > 0) {
      bar.max = state.total;
      bar.value = Math.max(0, state.done - Number(shown.dataset.begun));
    }
    tell(says, state.says);
  }
}

// A screen reader speaks what changes, so nothing is written twice.
function tell(place, sentence) {
  if (place.textContent !== sentence) place.textContent = sentence;
}

// Files: which ones were chosen, whether they are too large, and dropping them anywhere.
function size(bytes) {
  return bytes < 1e5 ? `${Math.max(1, Math.round(bytes / 1e3))} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

function describe(input, most) {
  const files = [...input.files];
  const total = files.reduce((sum, file) => sum + file.size, 0);
  const names = files.slice(0, 5).map((file) => file.webkitRelativePath || file.name).join(", ");
  const more = files.length > 5 ? ` and ${files.length - 5} more` : "";
  const tooLarge = total > most;
  const limit = tooLarge ? `: more than the ${size(most)} that can be taken at once` : "";
  input.setCustomValidity(tooLarge ? `These are ${size(total)}${limit}.` : "");
  const [chosen, remove] = input.parentElement.querySelectorAll(".chosen, .take-out");
  tell(chosen, files.length ? `${names}${more}, ${size(total)}${limit}` : "");
  remove.hidden = files.length === 0;
}

function watchFiles(form) {
  const most = Number(form.dataset.mostBytes);
  for (const input of form.querySelectorAll("input[type=file]")) {
    input.addEventListener("change", () => describe(input, most));
    input.parentElement.querySelector(".take-out").addEventListener("click", () => {
      input.value = "";
      input.dispatchEvent(new Event("change", { bubbles: true }));
      input.focus();
    });
    describe(input, most); // the browser may have gone back to a filled-in form
  }
}

// A question is about one text.
function askOneAtATime(form) {
  const text = form.querySelector("textarea");
  const file = form.querySelector("input[type=file]");
  const judge = () => {
    const both = text.value.trim() !== "" && file.files.length > 0;
    text.setCustomValidity(both ? "There are a text and a file: ask about one of them at a time." : "");
  };
  form.addEventListener("input", judge);
  form.addEventListener("change", judge);
  judge();
}

function takeDrops(form) {
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
    const taken = new DataTransfer();
    for (const file of input.multiple ? files : files.slice(0, 1)) taken.items.add(file);
    input.files = taken.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
    input.focus();
  });
}

// The dropped files, and those in dropped folders.
async function dropped(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (entries.length === 0) return [...transfer.files];
  return (await Promise.all(entries.map(filesOf))).flat();
}

async function filesOf(entry) {
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    return [new File([file], entry.fullPath.slice(1))]; // named with its folders, as a chosen folder's
  }
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) break; // a folder is read in batches
    found.push(...some);
  }
  return (await Promise.all(found.map(filesOf))).flat();
}

// Who waited for a result is led to it.
if (location.search === "?over") document.querySelector("h1").focus();
const job = document.getElementById("job");
if (job) follow(job);
for (const form of document.querySelectorAll("form[data-most-bytes]")) {
  watchFiles(form);
  takeDrops(form);
  if (form.matches(".ask")) askOneAtATime(form);
}
