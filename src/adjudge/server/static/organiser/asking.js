// Requests of the dashboard.

export class Refused extends Error {
  constructor(status, { code = "", message = "" } = {}) {
    super(message || code || String(status));
    Object.assign(this, { status, code });
  }
}

/** Ask the organiser's API; with `content` something is changed. */
export async function ask(path, content) {
  const response = await fetch(`/api/organiser/${path}`, {
    signal: AbortSignal.timeout(30_000),
    ...(content !== undefined && {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-CSRF-Token": document.querySelector("meta[name=csrf]").content },
      body: JSON.stringify(content),
    }),
  });
  const said = await response.json();
  if (!response.ok) throw new Refused(response.status, said.error);
  return said;
}
