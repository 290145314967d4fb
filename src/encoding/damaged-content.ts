import { FailedError } from "../model/errors.ts";

/** Content that is not what it claims to be. Another copy of it may be right. */
export class DamagedContentError extends FailedError {}
