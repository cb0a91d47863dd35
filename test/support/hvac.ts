import { pipInstall, pythonPackages } from './python-packages.ts';

/** The version of hvac that the tests run. */
export const HVAC = 'hvac==2.4.0';

/** The folder that Python's path needs for the client hvac. */
export const findHvac = (): Promise<string> =>
  pythonPackages(HVAC.replace('==', '-'), (folder) => pipInstall(folder, HVAC));
