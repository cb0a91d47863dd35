import { validate } from 'dockerfile-utils';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../local/root.ts';

/** One sentence for each fault that the linter reports. */
export function findDockerfileFaults(): string[] {
  const text = readFileSync(join(projectRoot, 'deploy/Dockerfile'), 'utf8');
  return validate(text).map(({ range, message }) => {
    const fault = typeof message === 'string' ? message : message.value;
    return `deploy/Dockerfile:${range.start.line + 1}: ${fault}`;
  });
}
