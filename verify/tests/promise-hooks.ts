/**
 * Loaded before node:test, which follows every promise to know whose an error is that nobody caught. That takes up to a fifth of a test
 * file's CPU. Without it, such an error still ends the process with a failure, by its own text instead of its test's name.
 */
import asyncHooks from "node:async_hooks";
import { syncBuiltinESMExports } from "node:module";

const { createHook } = asyncHooks;
asyncHooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false });
syncBuiltinESMExports();
