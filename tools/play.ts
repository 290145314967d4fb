/** Plays updates on a real control plane, and compares what preflight said with what happened: `npm run play -- 4.20 4.21`. */
import { parseArgs } from "node:util";
import { FAULTS } from "./play/faults/index.ts";
import { PLAYED_PAIRS } from "./play/played-pairs.ts";

const { positionals } = parseArgs({ allowPositionals: true });
const [source, target] = positionals;
for (const pair of PLAYED_PAIRS.filter((one) => one.source === source && one.target === target))
  for (const fault of FAULTS) {
    const applies = fault.applies(pair);
    process.stderr.write(`${fault.check} ${fault.name}: ${applies === true ? "applies" : applies}\n`);
  }
