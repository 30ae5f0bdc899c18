// The organiser's password.

import { t } from "./texts.js";

const form = document.getElementById("sign-in");
const error = document.getElementById("error");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { password } = form.elements;
  error.textContent = "";
  if (!password.value) {
    error.textContent = t("sign-in.empty");
    password.focus();
    return;
  }
  try {
    const response = await fetch("/api/organiser/sign-in", {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-CSRF-Token": document.querySelector("meta[name=csrf]").content },
      body: JSON.stringify({ password: password.value }),
    });
    if (response.ok) {
      location.assign((await response.json()).next);
      return;
    }
    const { error: said } = await response.json();
    if (said.code === "csrf") location.reload();
    error.textContent = said.code === "password" ? t("sign-in.wrong") : ["too many tries", "busy"].includes(said.code) ? t("sign-in.many") : said.message;
  } catch {
    error.textContent = t("boot.offline");
  }
  password.select();
});
