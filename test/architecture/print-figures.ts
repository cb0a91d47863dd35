import { findPassed, measure } from './limits.ts';
import { readSources } from './sources.ts';

// make check: prints the figures of the product's simplicity, and those that exceed their limit.
const figures = measure(readSources().filter(({ path }) => /^(?:services|libs)\//.test(path)));
const { largestFolders, deepestFolders, longestFiles, longestFunctions } = figures;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
say(`files: ${figures.files}`);
say(`longest file: ${longestFiles[0]?.lines} lines in ${longestFiles[0]?.path}`);
say(`largest folder: ${largestFolders[0]?.folder}, ${largestFolders[0]?.files} files`);
say(`most floors: ${deepestFolders[0]?.folder}, ${deepestFolders[0]?.floors}`);
say(`longest function: ${longestFunctions[0]?.lines} lines in ${longestFunctions[0]?.path}`);

const passed = findPassed(figures);
for (const line of passed) say(`over the limit: ${line}`);
if (passed.length > 0) process.exitCode = 1;
