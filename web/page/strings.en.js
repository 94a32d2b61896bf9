/** Every word of the page, so that another language is another file. */
export const strings = {
  all: "Everything",
  asSeenBy: "What {player} sees",
  autoplay: "Play",
  back: "One step back",
  board: "Board",
  chart: "Win share by {agent}; click to jump",
  close: "Close",
  first: "To the start",
  forward: "One step forward",
  help: "Keys",
  keys: [
    ["Left, Right", "one step back or forward"],
    ["Up, Down", "the last or next move of the same player"],
    ["Home, End", "start, end"],
    ["Space", "play or pause"],
    ["V", "next view"],
    ["Z", "next part of the board"],
    ["T", "light or dark"],
    ["?", "this list"],
  ],
  last: "To the end",
  log: "Log",
  part: "Part of the board",
  pause: "Pause",
  players: "Players",
  points: "{score} points",
  position: "Position",
  rank: "rank {rank}",
  setup: "Set-up",
  speed: "Speed",
  theme: "Light or dark",
  tooOld: "This browser is too old for this page: it lacks DecompressionStream.",
  view: "View",
  whole: "Whole board",
};

/**
 * A text with its {names} filled in.
 * @param {string} text
 * @param {Record<string, string | number>} values
 */
export function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}
