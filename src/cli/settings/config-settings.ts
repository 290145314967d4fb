import type { Settings, ValuesOf } from "./command.ts";
import { selectionSettings } from "./checks-settings.ts";
import { liftedShownSettings, unknownRiskSettings } from "./shared-settings.ts";

/** Of commands that look for no file. */
export const namedConfigSettings = {
  config: {
    env: "PREFLIGHT_CONFIG",
    group: "output",
    isRepeated: true,
    placeholder: "FILE",
    type: "config",
    describe: "File with accepted risks and defaults of settings",
    defaultText: "none",
  },
} as const satisfies Settings;

export const configSettings = {
  config: {
    ...namedConfigSettings.config,
    foundFile: ".preflight.yaml",
    describe: "File with accepted risks and defaults of settings; --no-config looks for none",
    defaultText:
      ".preflight.yaml of the current folder, if it exists: it may accept risks, and set time limits and how much runs at a time",
  },
} as const satisfies Settings;

/** A file that was only found may give a check more time, but not so little that it sees nothing. */
export const readLimitSettings = {
  "check-timeout": {
    env: "PREFLIGHT_CHECK_TIMEOUT",
    group: "limits",
    isRepeated: true,
    type: "duration",
    default: "1m",
    foundRange: ["1m", "10m"],
    describe: "How long a read may receive nothing, or a check compute; the check is then unknown",
  },
  "cycle-timeout": {
    env: "PREFLIGHT_CYCLE_TIMEOUT",
    group: "limits",
    isRepeated: true,
    type: "duration",
    default: "5m",
    foundRange: ["5m", "1h"],
    describe: "Time limit for all reads of a cycle together, however much they receive",
  },
  concurrency: {
    env: "PREFLIGHT_CONCURRENCY",
    group: "limits",
    isRepeated: false,
    type: "number",
    default: 4,
    range: [1, 32],
    describe: "Number of concurrent reads, from 1 to 32",
  },
} as const satisfies Settings;

export type ReadLimitValues = ValuesOf<typeof readLimitSettings>;

/** What a cycle judges, within which limits, and the file with their defaults. */
export const judgingSettings = {
  ...selectionSettings,
  ...unknownRiskSettings,
  ...liftedShownSettings,
  ...readLimitSettings,
  ...configSettings,
} as const satisfies Settings;
