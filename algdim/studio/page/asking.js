// Questions to the program. A question of a kind gives up the one before it, and the program ends its work on that.

const running = new Map();

export class Refusal extends Error {
  constructor(answer, status) { super(answer.error); this.answer = answer; this.status = status; }
}

export async function ask(kind, fields, path = "ask") {
  running.get(kind)?.abort();
  const control = new AbortController();
  running.set(kind, control);
  try {
    for (let attempt = 0; ; attempt += 1) {
      const response = await fetch(path, {
        method: "POST", body: JSON.stringify(fields), signal: control.signal, headers: { "content-type": "application/json" },
      });
      if (response.status === 503 && attempt < 5) { await new Promise((done) => setTimeout(done, 300 << attempt)); continue; }
      if (response.status === 403) throw new Refusal({ error: await response.text(), kind: "failure" }, 403);
      const answer = await response.json();
      if (answer.error !== undefined) throw new Refusal(answer, response.status);
      return answer;
    }
  } catch (error) {
    if (error.name === "AbortError" || error instanceof Refusal) throw error;
    throw new Refusal({ error: "the program does not answer. Start `algdim studio` again and open the address that it prints: what you drew is kept", kind: "failure" }, 0);
  } finally {
    if (running.get(kind) === control) running.delete(kind);
  }
}

export function stop(kind) { running.get(kind)?.abort(); running.delete(kind); }
export const isGivenUp = (error) => error.name === "AbortError";
