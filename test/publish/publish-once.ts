import { argv, exit, stderr } from "node:process";
import { errorText } from "../../src/model/errors.ts";
import { publish } from "../../src/publish/publish.ts";
import { numbered } from "./sample.ts";

/** A process that publishes one document: path and number. It ends with 1 and the error where that fails. */
const [path = "", number = "0"] = argv.slice(2);
try {
  await publish(path, numbered(Number(number)));
} catch (thrown) {
  stderr.write(errorText(thrown));
  exit(1);
}
