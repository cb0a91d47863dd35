import { describeVerbs } from '../conformance/verbs.ts';
import { destination } from './destination.ts';
import { startLockboxFake } from './fake.ts';
import { openLockbox } from './support.ts';

describeVerbs({
  destination,
  startFake: () => startLockboxFake(),
  open: openLockbox,
  name: 'item',
  ours: { owner: 'here' },
  other: { owner: 'there' },
  created: { owner: 'here' },
  updated: { owner: 'here' },
  writes: { absent: 'createItem', present: 'replaceItem' },
  calls: {
    check: ['readBox 200'],
    create: ['createItem 200'],
    update: ['replaceItem 200'],
    read: ['readItem 200'],
    readAbsent: ['readItem 404'],
    remove: ['deleteItem 200'],
    removeAbsent: ['deleteItem 404'],
  },
  tooLarge: 'value_too_large',
  refusesRepeat: true,
});
