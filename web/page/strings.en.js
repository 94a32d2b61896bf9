/** Every word of the page, so that another language is another file. */
export const strings = {
  all: "Everything",
  asSeenBy: "What {player} sees",
  autoplay: "Play",
  back: "One step back",
  board: "Board",
  analysedBy: "Found by {agent}, from what the player to move knew at that time.",
  analysis: "Analysis",
  asGood: "As good as the best",
  best: "The best choice",
  chart: "Win rate of each player by {agent}; click to jump",
  choice: "Choice",
  close: "Close",
  cost: "Cost {cost} points of win rate",
  costly: "{player}: a decision that cost {cost} points of win rate",
  decides: "{player} decides",
  expected: "Expected:",
  fewer: "Fewer choices",
  first: "To the start",
  forward: "One step forward",
  heat: "Show on the board",
  help: "Keys",
  keys: [
    ["Left, Right", "one step back or forward"],
    ["Up, Down", "the last or next move of the same player"],
    ["Home, End", "start, end"],
    ["Space", "play or pause"],
    ["M", "next costly decision, if the game is analysed"],
    ["A", "analysis on the board, on or off"],
    ["V", "next view"],
    ["Z", "next part of the board"],
    ["T", "light or dark"],
    ["?", "this list"],
  ],
  last: "To the end",
  log: "Log",
  moreChoices: "{count} more",
  near: "{cost} points below the best",
  nextCostly: "Next costly decision ({count})",
  otherDecides: "Another player decides. The analysis shows what the player of this view could choose from.",
  over: "The game is over.",
  part: "Part of the board",
  pause: "Pause",
  played: "played",
  players: "Players",
  points: "{score} points",
  position: "Position",
  rank: "rank {rank}",
  setup: "Set-up",
  share: "Visits",
  speed: "Speed",
  theme: "Light or dark",
  unreachable: "The server cannot be reached.",
  tooOld: "This browser is too old for this page: it lacks DecompressionStream.",
  view: "View",
  visits: "{visits} simulations",
  whole: "Whole board",
  winRate: "Win rate",
};

/**
 * A text with its {names} filled in.
 * @param {string} text
 * @param {Record<string, string | number>} values
 */
export function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}
