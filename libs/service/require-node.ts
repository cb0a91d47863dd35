/** The oldest version of Node.js that the service runs on; package.json and .node-version say the same. */
export const OLDEST_NODE = 24;

/** Throws an error that says what to do if this version of Node.js is too old. */
export function requireNode(version = process.versions.node): void {
  const [major = 0] = version.split('.').map(Number);
  if (major >= OLDEST_NODE) return;
  throw new Error(`Sealift needs Node.js ${OLDEST_NODE} or newer; this is ${version} (${process.execPath}).`);
}
