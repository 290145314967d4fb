import { argv, stdout } from "node:process";
import { publish } from "../../../src/publish/atomic-file.ts";
import { buildDocument } from "./sample-document.ts";

/** A process that writes one document after another until it is killed. Arguments: path, the first document's number. */
const [path = "", first = "0"] = argv.slice(2);
for (let number = Number(first); ; number += 1) {
  await publish(path, buildDocument(number));
  stdout.write(`${number}\n`);
}
