// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * A UIO device for a counter of a system on chip: shows the page with its registers to programs, read-only in practice
 * since a node of mode 0444 can be opened for reading alone. It has no interrupt and touches no register.
 *
 *	insmod uio_counter.ko name=a9-global-timer addr=0x1e000200 size=8
 */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/uio_driver.h>

static char *name = "counter";
module_param(name, charp, 0444);
MODULE_PARM_DESC(name, "name of the UIO device, for uio= in HPT_MMIO");

static unsigned long long addr;
module_param(addr, ullong, 0444);
MODULE_PARM_DESC(addr, "physical address of the counter's first register");

static unsigned int size = 8;
module_param(size, uint, 0444);
MODULE_PARM_DESC(size, "bytes of its registers");

static struct platform_device *device;
static struct uio_info info = { .version = "1", .irq = UIO_IRQ_NONE };

static int __init uio_counter_init(void)
{
	struct uio_mem *mem = &info.mem[0];
	int ret;

	if (!addr || !size)
		return -EINVAL;
	device = platform_device_register_simple("uio_counter", PLATFORM_DEVID_AUTO, NULL, 0);
	if (IS_ERR(device))
		return PTR_ERR(device);
	/* The kernel maps whole pages; offs says where the registers begin in the first. */
	mem->name = name;
	mem->memtype = UIO_MEM_PHYS;
	mem->addr = (phys_addr_t)addr & PAGE_MASK;
	mem->offs = offset_in_page(addr);
	mem->size = PAGE_ALIGN(mem->offs + size);
	info.name = name;
	ret = uio_register_device(&device->dev, &info);
	if (ret)
		platform_device_unregister(device);
	return ret;
}

static void __exit uio_counter_exit(void)
{
	uio_unregister_device(&info);
	platform_device_unregister(device);
}

module_init(uio_counter_init);
module_exit(uio_counter_exit);
MODULE_DESCRIPTION("A memory-mapped counter for programs that read time by it");
MODULE_LICENSE("Dual MIT/GPL");
