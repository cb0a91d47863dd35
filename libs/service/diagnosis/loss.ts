import { failed, passed, type Finding } from './finding.ts';

/** Whether lost changes wait for a decision of an operator. */
export function examineLoss(hasLost: boolean): Finding {
  if (!hasLost) return passed('lost writes', 'no lost changes wait for a decision');
  return failed(
    'lost writes',
    'a failover or a restore of the database lost acknowledged changes; changes are refused until an operator decides',
    'decide with: sealift recover lost-writes',
  );
}
