/** The stream that says when a seat of this browser has something new to see. */

const AGAIN = 2000; // milliseconds between attempts to reach the server

/** @typedef {{seat: number | null, seq: number, status: string}} News */

export class Stream {
  /**
   * @param {string} path
   * @param {(news: News) => void} onNews
   * @param {(isLost: boolean) => void} onLost called when the server is lost, and when it is found again
   */
  constructor(path, onNews, onLost) {
    this.path = path;
    this.onNews = onNews;
    this.onLost = onLost;
    this.timer = 0;
    // A browser has six connections to a server; a page that nobody sees needs none of them.
    document.addEventListener("visibilitychange", () => (document.hidden ? this.source?.close() : this.open()));
    this.open();
  }

  open() {
    if (document.hidden) return;
    this.source?.close();
    window.clearTimeout(this.timer);
    const source = new EventSource(this.path);
    this.source = source;
    source.onmessage = (event) => {
      this.onLost(false);
      this.onNews(JSON.parse(event.data));
    };
    source.onerror = () => {
      this.onLost(true);
      if (source.readyState === EventSource.CLOSED && source === this.source) this.timer = window.setTimeout(() => this.open(), AGAIN);
    };
  }
}
