// Asking the server for work.

const PATIENCE = 20_000;

export class NotNow extends Error {
  constructor(status, code) {
    super(code);
    Object.assign(this, { status, code });
  }
}

/** The sheet of a hit; without a number, of the first that is not done. */
export async function fetchSheet(hit) {
  const response = await fetch(hit ? `/api/work?hit=${hit}` : "/api/work", { signal: AbortSignal.timeout(PATIENCE) });
  if (response.ok) return response.json();
  const said = await response.json().catch(() => ({}));
  throw new NotNow(response.status, said.error?.code ?? "");
}
