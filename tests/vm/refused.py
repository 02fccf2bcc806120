# SPDX-License-Identifier: MIT
"""An HPET that cannot be used: refused by the kernel, by permissions, or another file of that name."""
import vm
from vm import REASON


class Refused(vm.Case):
    """A kernel that does not let a process use its HPET."""
    script = '''
settle
section node test -c /dev/hpet
section info hpt info --json
section sources hpt sources --json
section asked env HPT_SOURCE=hpet hpt info --json
section plain_asked env HPT_SOURCE=hpet hpt info
'''
    reason = 0

    def test_os_is_the_only_one(self):
        info = self.object('info')
        self.assertEqual((info['source'], info['reason_code']), ('os', REASON.ONLY_ONE))
        self.assert_chosen('sources', 'os', REASON.ONLY_ONE)

    def test_the_device_is_there(self):
        self.text('node')

    def test_asking_for_it_is_refused_with_the_reason(self):
        why = self.source('sources', 'hpet')['reason']
        asked = self.object('asked')
        self.assertEqual((asked['source'], asked['requested'], asked['env_refused']), ('os', 'hpet', True))
        self.assertEqual(asked['env_refused_reason'], why)
        self.assertIn(why, self.words('plain_asked'))


class Disabled(Refused):
    append = 'hpet=disable'

    def test_hpet_is_busy(self):
        self.assert_refused('sources', 'hpet', 'open', 'EBUSY', REASON.HPET_BUSY)
        self.assertIn('hpet=disable', self.source('sources', 'hpet')['reason'])


class NotMapped(Refused):
    append = 'hpet_mmap=0'

    def test_hpet_may_not_be_mapped(self):
        self.assert_refused('sources', 'hpet', 'map', 'EACCES', REASON.HPET_MMAP_DENIED)
        self.assertIn('hpet_mmap=1', self.source('sources', 'hpet')['reason'])


class Nodes(vm.Case):
    cpu = 'phenom'
    script = '''
look() { section $1 hpt sources --json; rm -rf /dev/hpet; }
echo 'user:x:65534:65534::/tmp:/bin/sh' >/etc/passwd
settle
chmod 600 /dev/hpet
section private su user -c 'hpt sources --json'
section private_asked su user -c 'HPT_SOURCE=hpet hpt info --json'
chmod 444 /dev/hpet
section public su user -c 'hpt sources --json'
section public_info su user -c 'hpt info --json'
rm /dev/hpet
look missing
ln -s nowhere /dev/hpet
look dangling
ln -s hpet /dev/hpet
look circle
mkfifo /dev/hpet
look fifo
: >/dev/hpet
look empty_file
dd if=/dev/zero of=/dev/hpet bs=4096 count=1 2>/dev/null
look file
mkdir /dev/hpet
look directory
mknod /dev/hpet c 1 5
look zero_device
mknod /dev/hpet b 10 228
look block_device
mknod /dev/hpet c 10 228
section again hpt sources --json
'''

    def gone(self, section, error, reason):
        self.assert_chosen(section, 'os', REASON.ONLY_ONE)
        self.assert_refused(section, 'hpet', 'open', error, reason)

    def test_others_may_not_open_it(self):
        self.gone('private', 'EACCES', REASON.HPET_ACCESS)
        asked = self.object('private_asked')
        self.assertEqual((asked['source'], asked['env_refused']), ('os', True))
        self.assertEqual(asked['env_refused_reason'], self.source('private', 'hpet')['reason'])

    def test_others_may_read_it(self):
        self.assert_chosen('public', 'hpet', REASON.LOWER_MEAN)
        self.assertEqual(self.object('public_info')['source'], 'hpet')

    def test_missing(self):
        for section in 'missing', 'dangling':
            self.gone(section, 'ENOENT', REASON.HPET_NOENT)

    def test_circle(self):
        self.gone('circle', 'ELOOP', REASON.HPET_NOT_DEVICE)

    def test_something_else_of_that_name(self):
        for section in 'fifo', 'empty_file', 'file', 'directory', 'zero_device':
            self.gone(section, 'ENODEV', REASON.HPET_NOT_DEVICE)

    def test_block_device_of_the_same_number(self):
        self.gone('block_device', 'ENXIO', REASON.HPET_NODEV)

    def test_the_node_put_back(self):
        self.assert_chosen('again', 'hpet', REASON.LOWER_MEAN)


if __name__ == '__main__':
    vm.main()
