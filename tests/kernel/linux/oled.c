// SPDX-License-Identifier: GPL-2.0
/*
 * A software I2C adapter, bus 1, that carries one SSD1306 of 128 x 64 at 0x3c.
 *
 * /sys/kernel/debug/oled/ has
 *   ram       the picture: 8 pages of 128 bytes, the lowest bit on top
 *   on        1 while the panel is switched on
 *   invert    1 while it shows the opposite
 *   contrast  0 to 255
 *   nack      so many transfers are not answered from now on; may be written
 *   khz       the bus's pace, 0: no time passes; may be written
 *   bytes     how many have come
 */
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/i2c.h>
#include <linux/module.h>
#include <linux/of.h>

#define ADDRESS 0x3c
#define BUS 1
#define COLUMNS 128
#define PAGES 8
#define BUSY 0x40	/* of the status byte: the display is off */

enum addressing { HORIZONTAL, VERTICAL, BY_PAGE };

static u8 ram[PAGES * COLUMNS];
static struct debugfs_blob_wrapper ram_blob = { .data = ram, .size = sizeof(ram) };
static u8 on, invert, contrast;
static u32 nack, khz, bytes;

static u8 mode = BY_PAGE;
static u8 first_column, last_column = COLUMNS - 1, column;
static u8 first_page, last_page = PAGES - 1, page;
static u8 command, arguments_due, arguments_had, arguments[8];

static struct dentry *folder;

static void take_data(u8 value)
{
	ram[(page % PAGES) * COLUMNS + column % COLUMNS] = value;
	if (mode == HORIZONTAL) {
		if (column++ >= last_column) {
			column = first_column;
			if (page++ >= last_page)
				page = first_page;
		}
	} else if (mode == VERTICAL) {
		if (page++ >= last_page) {
			page = first_page;
			if (column++ >= last_column)
				column = first_column;
		}
	} else {
		column = (column + 1) % COLUMNS;
	}
}

/* The last command has all its arguments. */
static void obey(void)
{
	switch (command) {
	case 0x20:
		mode = arguments[0] & 3;
		break;
	case 0x21:
		first_column = column = arguments[0] % COLUMNS;
		last_column = arguments[1] % COLUMNS;
		break;
	case 0x22:
		first_page = page = arguments[0] % PAGES;
		last_page = arguments[1] % PAGES;
		break;
	case 0x81:
		contrast = arguments[0];
		break;
	}
}

static void take_command(u8 value)
{
	if (arguments_due) {
		arguments[arguments_had++] = value;
		if (!--arguments_due)
			obey();
		return;
	}
	command = value;
	arguments_had = 0;
	switch (value) {
	case 0x00 ... 0x0f:
		column = (column & 0xf0) | value;
		break;
	case 0x10 ... 0x1f:
		column = (column & 0x0f) | (value & 7) << 4;
		break;
	case 0xb0 ... 0xb7:
		page = value & 7;
		break;
	case 0xae:
	case 0xaf:
		on = value & 1;
		break;
	case 0xa6:
	case 0xa7:
		invert = value & 1;
		break;
	case 0x20: case 0x81: case 0x8d: case 0xa8: case 0xd3: case 0xd5: case 0xd9: case 0xda: case 0xdb:
		arguments_due = 1;
		break;
	case 0x21: case 0x22: case 0xa3:
		arguments_due = 2;
		break;
	case 0x29: case 0x2a:
		arguments_due = 5;
		break;
	case 0x26: case 0x27:
		arguments_due = 6;
		break;
	}
}

/* A control byte says what follows, and whether it is one byte or all that is left. */
static void take(const u8 *buffer, unsigned int length)
{
	unsigned int at = 0;

	while (at < length) {
		u8 control = buffer[at++];
		unsigned int end = control & 0x80 ? min(at + 1, length) : length;

		for (; at < end; at++) {
			if (control & 0x40)
				take_data(buffer[at]);
			else
				take_command(buffer[at]);
		}
	}
}

static int transfer(struct i2c_adapter *adapter, struct i2c_msg *messages, int count)
{
	unsigned long clocks = 0;
	int i;

	for (i = 0; i < count; i++) {
		struct i2c_msg *message = &messages[i];

		if (message->addr != ADDRESS)
			return -EREMOTEIO;
		if (nack) {
			nack--;
			return -EREMOTEIO;
		}
		if (message->flags & I2C_M_RD)
			memset(message->buf, on ? 0 : BUSY, message->len);
		else
			take(message->buf, message->len);
		clocks += 10 + 9 * message->len;
		bytes += message->len;
	}
	if (khz)
		usleep_range(clocks * 1000 / khz, clocks * 1000 / khz + 50);
	return count;
}

static u32 functionality(struct i2c_adapter *adapter)
{
	return I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
}

static const struct i2c_algorithm algorithm = {
	.master_xfer = transfer,
	.functionality = functionality,
};

static struct i2c_adapter adapter = {
	.owner = THIS_MODULE,
	.algo = &algorithm,
	.name = "oled",
	.nr = BUS,
};

static int __init oled_init(void)
{
	int error;

	/* The node tells the bus's speed, which `spotter doctor` looks for. */
	adapter.dev.of_node = of_find_compatible_node(NULL, NULL, "brcm,bcm2711-i2c");
	error = i2c_add_numbered_adapter(&adapter);
	if (error)
		return error;
	folder = debugfs_create_dir("oled", NULL);
	debugfs_create_blob("ram", 0444, folder, &ram_blob);
	debugfs_create_u8("on", 0444, folder, &on);
	debugfs_create_u8("invert", 0444, folder, &invert);
	debugfs_create_u8("contrast", 0444, folder, &contrast);
	debugfs_create_u32("nack", 0644, folder, &nack);
	debugfs_create_u32("khz", 0644, folder, &khz);
	debugfs_create_u32("bytes", 0444, folder, &bytes);
	return 0;
}

static void __exit oled_exit(void)
{
	debugfs_remove_recursive(folder);
	i2c_del_adapter(&adapter);
}

module_init(oled_init);
module_exit(oled_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A simulated SSD1306 on a software I2C bus");
