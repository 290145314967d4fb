/** An expression that the API server doesn't compile; the message says why. */
export class InvalidExpression extends Error {
  override readonly name = "InvalidExpression";
}

/** An expression for which preflight can't decide whether the API server compiles it; the message says why. */
export class UndecidedExpression extends Error {
  override readonly name = "UndecidedExpression";
}
