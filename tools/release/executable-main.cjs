// What a single executable starts with: the bundle, with the code that V8 has compiled of it before.
const { getRawAsset } = require("node:sea");
const { Script } = require("node:vm");

const bundle = Buffer.from(getRawAsset("bundle")).latin1Slice();
const script = new Script(bundle, { filename: "preflight", cachedData: Buffer.from(getRawAsset("code-cache")) });
script.runInThisContext()(exports, require, module, __filename, __dirname);
