import process from "node:process";

// Loaded into a controller before its own code: its clock is late by CLOCK_LATE_MS, and jumps to the right time and back every few seconds.
const late = Number(process.env["CLOCK_LATE_MS"] ?? 0);
const RightDate = Date;
let shift = -late;
setInterval(() => (shift = shift === 0 ? -late : 0), 7_000).unref();
const now = () => RightDate.now() + shift;
globalThis.Date = new Proxy(RightDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  get: (target, key) => (key === "now" ? now : Reflect.get(target, key)),
});
