/* Functions of the payment page that need a script: copy, local time, count down and update. */
(() => {
  const LOOK_MS = 5000;
  const said = document.getElementById("said");

  const copy = async (text) => {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    // Without https there is no clipboard, but there is what is selected.
    const area = document.createElement("textarea");
    area.value = text;
    area.readOnly = true;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  };
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.hidden = false;
    const press = async () => {
      await copy(button.dataset.copy);
      button.focus();
      said.textContent = button.dataset.said;
    };
    button.addEventListener("click", () => void press());
  }

  // Without a script, the page names the gateway's time zone. Digits are as in the amounts.
  const format = new Intl.DateTimeFormat(`${document.documentElement.lang}-u-nu-latn`, {
    year: "numeric",
    month: "long",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short",
  });
  for (const time of document.querySelectorAll("time")) {
    time.textContent = format.format(new Date(time.dateTime));
  }

  // From what was left when the server wrote the page: the clock of this device may be wrong.
  for (const timer of document.querySelectorAll("[data-left-ms]")) {
    const endMs = Date.now() + Number(timer.dataset.leftMs);
    const tick = () => {
      const seconds = Math.ceil((endMs - Date.now()) / 1000);
      if (seconds <= 0) return location.reload();
      const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
      const shown = parts[0] > 0 ? parts : parts.slice(1);
      const text = shown.map((part) => String(part).padStart(2, "0")).join(":");
      timer.textContent = timer.dataset.words.replace("{time}", text);
      timer.hidden = false;
      setTimeout(tick, 1000);
    };
    tick();
  }

  // Asked for without its text: only a page that differs is loaded again.
  const { look: address, tag } = document.querySelector("main").dataset;
  const look = async () => {
    if (document.visibilityState === "visible") {
      const answer = await fetch(address, { method: "HEAD" }).catch(() => null);
      const now = answer?.ok ? answer.headers.get("etag") : null;
      if (now && now !== tag) return location.reload();
    }
    setTimeout(look, LOOK_MS);
  };
  if (address) setTimeout(look, LOOK_MS);
})();
