import type { PolicyEngineVersionAnswer } from '../../../../api/contract/administration.ts';
import kit from '../../kit/kit.module.css';
import { ACTIONS, Table } from '../../kit/table.tsx';
import { Time } from '../../kit/time.tsx';
import { VersionActions } from './version-actions.tsx';

/** The versions of an engine, with the actions on each. */
export function VersionTable({
  engine,
  versions,
}: {
  engine: string;
  versions: PolicyEngineVersionAnswer[];
}) {
  return (
    <Table columns={['Version', 'State', 'Used by', 'Added', ACTIONS]}>
      {versions.map((version) => (
        <Row key={version.id} engine={engine} version={version} />
      ))}
    </Table>
  );
}

function Row({ engine, version }: { engine: string; version: PolicyEngineVersionAnswer }) {
  const { version: name, usage, archs, ...state } = version.attributes;
  return (
    <tr>
      <td>
        <strong>{name}</strong>
        <p className={`${kit.small} ${kit.muted}`}>{archs.map(({ arch }) => arch).join(', ')}</p>
      </td>
      <td>
        <State state={state} />
      </td>
      <td>{usage === 0 ? <span className={kit.muted}>Nothing</span> : usage.toLocaleString('en')}</td>
      <td className={kit.whole}>
        <Time at={state['created-at']} />
      </td>
      <td>
        <VersionActions engine={engine} version={version} />
      </td>
    </tr>
  );
}

type StateProps = Pick<
  PolicyEngineVersionAnswer['attributes'],
  'enabled' | 'deprecated' | 'deprecated-reason' | 'beta' | 'official'
>;

function State({ state }: { state: StateProps }) {
  return (
    <>
      <div className={kit.row}>
        <span className={`${kit.chip} ${state.enabled ? kit.ok : ''}`}>
          {state.enabled ? 'Enabled' : 'Disabled'}
        </span>
        {state.deprecated ? <span className={`${kit.chip} ${kit.limited}`}>Deprecated</span> : null}
        {state.beta ? <span className={kit.chip}>Beta</span> : null}
        {state.official ? <span className={kit.chip}>Official</span> : null}
      </div>
      {state['deprecated-reason'] ? <p className={kit.muted}>{state['deprecated-reason']}</p> : null}
    </>
  );
}
