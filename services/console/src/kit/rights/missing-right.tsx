import { useQueries } from '@tanstack/react-query';
import { homeNamespace, namespaceFromHome } from '../../api/client.ts';
import { isGiven, isOfSite, rulesFor, type Right } from '../../api/right.ts';
import { capabilitiesQuery } from '../../api/rights.ts';
import { CopyButton } from '../copy/copy-button.tsx';
import kit from '../kit.module.css';

/** Those of some rights that the caller lacks. `isEnough` decides by the capabilities on the path of a right. */
export function useMissing(rights: Right[], isEnough: typeof isGiven): Right[] {
  const answers = useQueries({ queries: rights.map(capabilitiesQuery) });
  return rights.filter((right, index) => {
    const given = answers[index]?.data;
    return given !== undefined && !isEnough(given, right);
  });
}

/** The rules that would have allowed a refused call, folded. Shows nothing if the call did not fail for lack of a right. */
export function MissingRights({ rights }: { rights: Right[] }) {
  const missing = useMissing(rights, isGiven);
  if (missing.length === 0) return null;
  return (
    <details>
      <summary className={kit.touch}>Show the missing rule</summary>
      <MissingRules rights={missing} />
    </details>
  );
}

/** Rules that the user can copy and send to the authors of policies. */
export function MissingRules({ rights }: { rights: Right[] }) {
  const below = namespaceFromHome();
  const rules = rulesFor(rights, below);
  const isElsewhere = below !== '' && !rights.every(({ path }) => isOfSite(path));
  const [rule, copy] = rights.length === 1 ? ['rule', 'Copy rule'] : ['rules', 'Copy rules'];
  return (
    <div className={`${kit.stack} ${kit.tight}`}>
      <p>
        Your policies are missing {rights.length === 1 ? 'this' : 'these'} {rule}:
      </p>
      <pre className={kit.code}>{rules}</pre>
      {isElsewhere ? (
        <p>
          It belongs in a policy of the namespace <code>{homeNamespace() || 'root'}</code>, where your token
          is from.
        </p>
      ) : null}
      <div>
        <CopyButton text={rules}>{copy}</CopyButton>
      </div>
    </div>
  );
}
