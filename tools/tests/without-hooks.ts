/** Loaded before node:test, whose async hooks would follow each promise: a third of the CPU time of tests that await a lot. */
import hooks from "node:async_hooks";
import { createRequire } from "node:module";

const { createHook } = hooks;
Object.assign(hooks, {
  createHook: (callbacks: hooks.HookCallbacks) => createHook({ ...callbacks, trackPromises: false }),
});
createRequire(import.meta.url)("node:test");
Object.assign(hooks, { createHook });
