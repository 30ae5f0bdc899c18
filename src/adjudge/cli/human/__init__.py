"""What people say of translations: campaigns and their statistics."""
