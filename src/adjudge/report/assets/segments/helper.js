// The worker from the page's side: questions with answers, and a limit on the time that a search may take.

export class TooLongError extends Error {}

export class Helper {
  constructor(source) {
    this.address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    this.number = 0;
    this.loading = null;
    this.#start();
  }

  #start() {
    this.waiting = new Map();
    this.worker = new Worker(this.address);
    this.worker.addEventListener("message", ({ data }) => {
      const { resolve, reject } = this.waiting.get(data.task);
      this.waiting.delete(data.task);
      if (data.error === undefined) resolve(data.answer);
      else reject(new Error(data.error));
    });
    this.worker.addEventListener("error", (event) => this.#failAll(new Error(event.message)));
  }

  #failAll(error) {
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }

  ask(kind, question = {}, moved = []) {
    const task = ++this.number;
    const answer = new Promise((resolve, reject) => this.waiting.set(task, { resolve, reject }));
    this.worker.postMessage({ task, kind, ...question }, moved);
    return answer;
  }

  // The worker is given the texts when somebody is about to search, and again when it had to be ended.
  load(bytes, starts) {
    this.texts = { bytes, starts };
    this.loading = null;
  }

  prepare() {
    this.loading ??= this.ask("load", this.texts);
    return this.loading;
  }

  async search(kind, question, limit) {
    await this.prepare();
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new TooLongError()), limit);
    });
    try {
      return await Promise.race([this.ask(kind, question), late]);
    } catch (error) {
      if (error instanceof TooLongError) this.restart();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  restart() {
    this.worker.terminate();
    this.#failAll(new TooLongError());
    this.loading = null;
    this.#start();
  }
}
