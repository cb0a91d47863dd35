import { useQuery } from '@tanstack/react-query';
import { ruleFor, type Right } from '../../api/right.ts';
import { capabilitiesQuery } from '../../api/rights.ts';
import { CopyButton } from '../copy/copy-button.tsx';
import kit from '../kit.module.css';

/** The rule that would have allowed a refused call. Shows nothing if the call did not fail for lack of a right. */
export function MissingRight({ right }: { right: Right }) {
  const { data: given } = useQuery(capabilitiesQuery(right));
  if (given === undefined || given.includes('root') || given.includes(right.capability)) return null;
  return <MissingRule right={right} />;
}

/** A rule that the user can copy and send to the authors of policies. */
export function MissingRule({ right }: { right: Right }) {
  const rule = ruleFor(right);
  return (
    <div className={`${kit.stack} ${kit.tight}`}>
      <p>This rule is missing in your policies:</p>
      <pre className={kit.code}>{rule}</pre>
      <div>
        <CopyButton text={rule}>Copy the rule</CopyButton>
      </div>
    </div>
  );
}
