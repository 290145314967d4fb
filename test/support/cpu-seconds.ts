/** The CPU time that this process has taken, which noise of other processes hardly changes. */
export function readCpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
