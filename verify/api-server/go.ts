import { totalmem } from "node:os";

/** Of this machine's memory, since a dozen may run at once. */
const PART = 1 / 12;

/** For the API server, the oracle and the Go compiler: no collection before they take so much memory, which saves a fifth of their CPU time. */
export const FEWER_COLLECTIONS = { GOGC: "off", GOMEMLIMIT: `${Math.round(totalmem() * PART)}` };

/** For Go programs that end soon. */
export const NO_COLLECTIONS = { GOGC: "off" };
