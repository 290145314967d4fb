import { SWITCHBOARD } from "./instrument.ts";

/** Thrown by the program under test when it goes on for far longer than without the mutant. */
export class EndlessError extends Error {}

/** The places of a file that were reached. */
export type Reached = Readonly<Record<string, readonly number[]>>;

export type Switchboard = {
  readonly turnOn: (file: string, number: number) => void;
  readonly turnOff: () => void;
  /** Counts places from 0 again, and throws where there are more than `most`. */
  readonly restart: (most: number) => void;
  readonly getSteps: () => number;
  /** What was reached since the last time. */
  readonly takeReached: () => Reached;
};

type FileState = { active: number; readonly reached: Uint8Array };

/** Offers the switches of this process to the files that are loaded from now on. */
export function installSwitchboard(): Switchboard {
  const files = new Map<string, FileState>();
  const count = { steps: 0, most: Infinity };
  let on = { file: "", number: 0 };
  const open = (file: string, places: number) => {
    const state: FileState = { active: file === on.file ? on.number : 0, reached: new Uint8Array(places) };
    files.set(file, state);
    return (place: number): number => {
      state.reached[place] = 1;
      count.steps += 1;
      if (count.steps > count.most) throw new EndlessError("the program goes on and on");
      return state.active;
    };
  };
  Reflect.set(globalThis, Symbol.for(SWITCHBOARD), { open });
  const turnOn = (file: string, number: number): void => {
    on = { file, number };
    for (const [name, state] of files) state.active = name === file ? number : 0;
  };
  return {
    turnOn,
    turnOff: () => turnOn("", 0),
    restart: (most) => void Object.assign(count, { steps: 0, most }),
    getSteps: () => count.steps,
    takeReached: () => takeReached(files),
  };
}

function takeReached(files: ReadonlyMap<string, FileState>): Reached {
  const lists = [...files].map(([file, { reached }]) => {
    const places = [...reached.keys()].filter((place) => reached[place] === 1);
    reached.fill(0);
    return [file, places] as const;
  });
  return Object.fromEntries(lists.filter(([, places]) => places.length > 0));
}
