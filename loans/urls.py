"""Addresses of the lending desk."""

from django.urls import URLPattern

app_name = "loans"
urlpatterns: list[URLPattern] = []
