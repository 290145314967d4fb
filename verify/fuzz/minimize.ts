/** The smallest input that was found with the same fault, in so many tries. */
export async function minimize(
  input: Buffer,
  isFaulty: (candidate: Buffer) => Promise<boolean>,
  maxTries: number,
): Promise<Buffer> {
  let here = input;
  let tries = 0;
  for (let size = Math.ceil(here.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = 0; start < here.length && tries < maxTries;) {
      const candidate = Buffer.concat([here.subarray(0, start), here.subarray(start + size)]);
      tries += 1;
      if (await isFaulty(candidate)) here = candidate;
      else start += size;
    }
  }
  return here;
}
