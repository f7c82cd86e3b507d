/** The name under which all lanes are paused at once, those of tomorrow too. */
export const EVERY_LANE = "*";

/** How people name every lane; a lane of its own has a "/" in its name. */
const ALL = "all";
export const laneNamed = (name: string): string => (name === ALL ? EVERY_LANE : name);
export const laneName = (lane: string): string => (lane === EVERY_LANE ? ALL : lane);
