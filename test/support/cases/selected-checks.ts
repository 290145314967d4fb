import { checks } from "../../../src/checks/index.ts";

/** One check alone: npm test -- --check ID. A test of several names them with commas. */
const only = process.env["PREFLIGHT_CHECK"];

/** The checks whose cases are run. */
export const selectedChecks = checks.filter(({ id }) => only === undefined || only.split(",").includes(id));
if (selectedChecks.length === 0) throw new Error(`src/checks has no check ${only}`);
