import { argv, exit, stderr } from "node:process";
import { formatError } from "../../../src/model/errors.ts";
import { publish } from "../../../src/publish/atomic-file.ts";
import { buildDocument } from "./sample-document.ts";

/** A process that publishes one document. Arguments: path, number. On failure it prints the error and exits with 1. */
const [path = "", number = "0"] = argv.slice(2);
try {
  await publish(path, buildDocument(Number(number)));
} catch (thrown) {
  stderr.write(formatError(thrown));
  exit(1);
}
