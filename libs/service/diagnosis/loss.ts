import { describeLoss, type Loss } from '../../store/maintenance/lost-writes.ts';
import { failed, passed, type Finding } from './finding.ts';

/** Whether lost changes, or a copied database, wait for a decision of an operator. */
export function examineLoss(loss: Pick<Loss, 'isRefusing' | 'isCopy'>): Finding {
  if (!loss.isRefusing) return passed('lost writes', 'none');
  return failed(
    'lost writes',
    `${describeLoss(loss)}; changes are refused until an operator decides`,
    loss.isCopy
      ? 'stop the former installation, then: sealift recover lost-writes'
      : 'decide with: sealift recover lost-writes',
  );
}
