// What a browser keeps for one person in one campaign: drafts, and answers that are still to be sent.

export class Shelf {
  constructor(name) {
    this.prefix = `${name}.`;
    this.memory = new Map();
    this.lasting = works();
  }

  get(name) {
    const text = this.lasting ? localStorage.getItem(this.prefix + name) : this.memory.get(name);
    try {
      return text === null || text === undefined ? null : JSON.parse(text);
    } catch {
      return null;
    }
  }

  /** Keep a value; false where the browser has no room left (it is then kept until the page is closed). */
  set(name, value) {
    const text = JSON.stringify(value);
    if (this.lasting) {
      try {
        localStorage.setItem(this.prefix + name, text);
        return true;
      } catch {
        this.lasting = false;
        for (const known of this.names("")) this.memory.set(known, localStorage.getItem(this.prefix + known));
      }
    }
    this.memory.set(name, text);
    return false;
  }

  delete(name) {
    this.memory.delete(name);
    try {
      localStorage.removeItem(this.prefix + name);
    } catch {
      // Nothing was kept.
    }
  }

  /** The names of what is kept that begin so, in order. */
  names(start) {
    const found = new Set([...this.memory.keys()].filter((name) => name.startsWith(start)));
    try {
      for (let i = 0; i < localStorage.length; i += 1) {
        const name = localStorage.key(i);
        if (name.startsWith(this.prefix + start)) found.add(name.slice(this.prefix.length));
      }
    } catch {
      // Nothing was kept.
    }
    return [...found].sort();
  }
}

function works() {
  try {
    localStorage.setItem("adjudge.probe", "1");
    localStorage.removeItem("adjudge.probe");
    return true;
  } catch {
    return false;
  }
}
